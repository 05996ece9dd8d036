"""What a worker has done ahead of its request, and whether that still holds."""

import gc
import importlib
import importlib.util
import os
import re
import site
import sys
import time
import warnings
from typing import Any, Callable, List, Optional, Tuple

# Of the standard library: what pytest imports in every run before it looks at any setting or path of the project. More
# would hide modules of the project with such a name that come onto sys.path later.
EARLY = ("importlib.metadata", "importlib.resources", "gettext", "pprint", "shlex", "tempfile")

# Files get the time of the last tick of the kernel's clock, which may be before our start.
CLOCK_TICK = 20_000_000
Stamp = Optional[Tuple[int, int, int]]
# Where packages are installed; a project may be kept in a directory with a similar name.
INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]")


class Warmth:
    """Imports pytest before the project is on sys.path; knows when a run must not build on that."""

    def __init__(self, cwd: str, import_plugin: Callable[[], None]) -> None:
        self._cwd = cwd
        start = time.time_ns() - CLOCK_TICK
        _import("pytest")
        if "pytest" in sys.modules:
            _import_default_plugins()
            gc.collect()
            # What stays for the whole run need not be looked at again. Not what the installed plugins import: gc would
            # not see who refers to an object of theirs, which hypothesis asks for their generators of random numbers.
            gc.freeze()
            _import_plugins()
            try:
                import_plugin()
            except Exception:  # the run will say what is wrong with this pytest
                pass
        for name in EARLY:
            _import(name)
        gc.collect()
        self._stamps = {path: _stamp(path) for path in self._paths()}
        self._changed = next((path for path in self._stamps if _changed_since(start, path)), None)

    def _paths(self) -> List[str]:
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        config = os.path.join(sys.prefix, "pyvenv.cfg")
        pth = [path for directory in sys.path for path in _pth_files(directory)]
        named = [path for file in pth for path in _directories_named_by(file)]
        user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
        return sorted({path for path in (sys.executable, config, *sys.path, *pth, *named, *user, *files) if path})

    def stale(self) -> Optional[str]:
        """Why a fresh process must take the request, or None."""
        if self._changed:
            return "%s changed while it was loaded" % self._changed
        for path, stamp in self._stamps.items():
            if _stamp(path) != stamp:
                return "%s changed" % path
        try:
            if not os.path.samefile(os.curdir, self._cwd):
                return "the root is another directory"
            names = os.listdir(self._cwd)
        except OSError:
            return "the root cannot be listed"
        loaded = {name.partition(".")[0] for name in sys.modules}
        for name in names:
            if name.partition(".")[0] in loaded and _hides_a_module(self._cwd, name):
                return "%s in the root would be imported instead of what is loaded" % name
        return None

    def accept(self) -> None:
        """From here on this is a process like any other."""
        importlib.invalidate_caches()
        logging: Any = sys.modules.get("logging")
        if hasattr(logging, "_startTime"):  # its records tell how long after the start they were made
            in_seconds = isinstance(logging._startTime, float)
            logging._startTime = time.time() if in_seconds else time.time_ns()


def _hides_a_module(directory: str, name: str) -> bool:
    """Whether an import finds this instead of a loaded module: not a mere directory, such as MkDocs' `site`."""
    if "." in name:
        return name.endswith((".py", ".so", ".pyd"))
    namespace = getattr(sys.modules.get(name), "__file__", None) is None  # would be longer by this directory
    try:
        return namespace or any(file.startswith("__init__.") for file in os.listdir(os.path.join(directory, name)))
    except OSError:
        return False


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except Exception:  # this pytest has no such module, or the run itself will say what is wrong
        pass


def _import_default_plugins() -> None:
    from _pytest.config import default_plugins

    for name in default_plugins:
        _import("_pytest." + name)


def _import_plugins() -> None:
    """Imports the installed plugins before any path of the project counts, as pytest does."""
    if os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        return
    try:
        # under its rewriting of assertions, warnings unseen
        from _pytest.assertion import install_importhook
        from _pytest.config import _iter_rewritable_modules, get_config

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            config = get_config()
            config.getini = lambda name: []  # type: ignore[method-assign]  # no ini file has been read
            hook = install_importhook(config)
            try:
                names = []
                for distribution in _with_plugins():
                    files = distribution.files or []
                    # All of its modules, as pytest does: it warns of each that it later finds imported without.
                    hook.mark_rewrite(*_iter_rewritable_modules(str(file) for file in files))
                    names += _plugin_modules(distribution)
                hook.mark_rewrite(*(name.partition(".")[0] for name in names))
                for name in names:
                    _import(name)
            finally:
                sys.meta_path.remove(hook)
                config._ensure_unconfigure()
    except Exception:  # another pytest keeps these things elsewhere: the run imports its plugins itself
        pass


def _with_plugins() -> List[Any]:
    import importlib.metadata

    found = list(importlib.metadata.distributions())
    return [each for each in found if any(entry.group == "pytest11" for entry in each.entry_points)]


def _plugin_modules(distribution: Any) -> List[str]:
    """Its plugins, where they are installed; one from the project or an editable install is project code."""
    modules = []
    for entry in distribution.entry_points:
        if entry.group == "pytest11":
            name = entry.value.partition(":")[0].strip()
            spec = importlib.util.find_spec(name.partition(".")[0])
            if spec is not None and INSTALLED.search(spec.origin or ""):
                modules.append(name)
    return modules


def _pth_files(directory: str) -> List[str]:
    """They make sys.path longer; one that is edited does not change its directory."""
    try:
        return [os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(".pth")]
    except OSError:
        return []


def _directories_named_by(pth_file: str) -> List[str]:
    """One that is not there yet is not on sys.path."""
    try:
        with open(pth_file, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    here = os.path.dirname(pth_file)
    return [os.path.join(here, line.rstrip()) for line in lines if not line.startswith(("#", "import ", "import\t"))]


def _changed_since(start: int, path: str) -> bool:
    try:
        return os.stat(path).st_ctime_ns >= start
    except OSError:
        return False


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    # Some installers give every version of a file the same time: then it is still another file.
    return status.st_mtime_ns, status.st_size, status.st_ino
