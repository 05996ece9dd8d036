# Installs the pytest-mcp binary for this machine, after comparing its checksum:
#
#   irm https://github.com/pytest-mcp/pytest-mcp/releases/latest/download/install.ps1 | iex
#
# PYTEST_MCP_VERSION      a version such as 0.1.0; default: the latest
# PYTEST_MCP_INSTALL_DIR  default: %LOCALAPPDATA%\pytest-mcp
# PYTEST_MCP_BASE_URL     where the files of a release are; default: its page on GitHub

function Install-PytestMcp {
    # set in here: at the top, `iex` would change them for the rest of the session
    $ErrorActionPreference = 'Stop'
    # the progress bar of Windows PowerShell makes a download many times slower
    $ProgressPreference = 'SilentlyContinue'

    $processor = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    $cpu = switch ($processor) {
        'AMD64' { 'x86_64' }
        'ARM64' { 'aarch64' }
        default { throw "pytest-mcp was not installed: there is no binary for a $processor processor" }
    }
    $name = "pytest-mcp-windows-$cpu.exe"

    $releases = 'https://github.com/pytest-mcp/pytest-mcp/releases'
    $base = if ($env:PYTEST_MCP_BASE_URL) {
        $env:PYTEST_MCP_BASE_URL
    } elseif ($env:PYTEST_MCP_VERSION) {
        "$releases/download/v$($env:PYTEST_MCP_VERSION.TrimStart('v'))"
    } else {
        "$releases/latest/download"
    }
    $target = if ($env:PYTEST_MCP_INSTALL_DIR) {
        $env:PYTEST_MCP_INSTALL_DIR
    } else {
        Join-Path $env:LOCALAPPDATA 'pytest-mcp'
    }

    New-Item -ItemType Directory -Force -Path $target | Out-Null
    $work = Join-Path $target ".download-$([guid]::NewGuid())"
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        $sums = Join-Path $work 'SHA256SUMS'
        $binary = Join-Path $work 'pytest-mcp.exe'
        Invoke-WebRequest -UseBasicParsing -Uri "$base/SHA256SUMS" -OutFile $sums
        Invoke-WebRequest -UseBasicParsing -Uri "$base/$name" -OutFile $binary
        $pattern = '^([0-9a-f]{64}) [ *]' + [regex]::Escape($name) + '$'
        $line = Get-Content $sums | Where-Object { $_ -match $pattern } | Select-Object -First 1
        if (-not $line) { throw "pytest-mcp was not installed: SHA256SUMS does not name $name" }
        $expected = $line.Substring(0, 64)
        $actual = (Get-FileHash -Algorithm SHA256 -Path $binary).Hash.ToLowerInvariant()
        if ($actual -ne $expected) {
            throw "pytest-mcp was not installed: its checksum is $actual instead of $expected"
        }
        Move-Item -Force -Path $binary -Destination (Join-Path $target 'pytest-mcp.exe')
    } finally {
        Remove-Item -Recurse -Force -Path $work
    }

    Write-Output "Installed $(Join-Path $target 'pytest-mcp.exe')"
    if (($env:PATH -split [IO.Path]::PathSeparator) -notcontains $target) {
        $path = "[Environment]::GetEnvironmentVariable('Path', 'User')"
        Write-Output 'Add it to PATH to call it by its name, and open a new terminal:'
        Write-Output "  [Environment]::SetEnvironmentVariable('Path', $path + ';$target', 'User')"
    }
    Write-Output 'Next, in your project: pytest-mcp doctor, then pytest-mcp config CLIENT'
}

Install-PytestMcp
