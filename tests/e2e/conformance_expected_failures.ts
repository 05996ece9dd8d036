/**
 * What the conformance package's scenarios find missing, one by one, and why it is right that way. Checks
 * that are not here must pass, checks that are here must fail: neither can change unnoticed.
 *
 * @module
 */

/** Why a check does not apply. */
export const REASONS = {
  reference_tool:
    "calls a tool of the package's reference server; this one has two tools of its own",
  reference_prompt:
    "asks for a prompt of the package's reference server; this one has four of its own",
  reference_resource:
    "reads a resource of the package's reference server; this one has three of its own",
  no_logging: "logs go to stderr, as the 2026-07-28 specification advises: no logging capability",
  no_subscriptions: "resources are computed on read and never announce a change: no subscribe",
  no_input_requests: "no tool asks the client for input: the scenario needs one that does",
  no_tasks: "the tasks extension is not offered",
  http: "a rule of the HTTP transport; the server speaks stdio, and HTTP is the test's bridge",
  both_eras:
    "a request without an envelope is of the older era here: it gets that era's answer, -32601",
  bridge_time:
    "waits a fixed time for the first frame, which a process that starts for the request may miss; " +
    "tests/e2e/transport_test.ts has the same without a clock",
} as const;
type Reason = keyof typeof REASONS;

/** One check that is expected to fail; `sometimes` where it depends on the speed of the machine. */
export interface ExpectedFailure {
  readonly why: Reason;
  readonly sometimes?: true;
}

type Expected = Readonly<Record<string, ExpectedFailure>>;

const because = (why: Reason): ExpectedFailure => ({ why });

/** scenario → check → why it fails, in every version that has the scenario */
export const EXPECTED_FAILURES: Readonly<Record<string, Expected>> = {
  "logging-set-level": { "logging-set-level": because("no_logging") },
  "tools-call-with-logging": { "tools-call-with-logging": because("no_logging") },
  "completion-complete": { "completion-complete": because("reference_prompt") },
  "prompts-get-simple": { "prompts-get-simple": because("reference_prompt") },
  "prompts-get-with-args": { "prompts-get-with-args": because("reference_prompt") },
  "prompts-get-embedded-resource": {
    "prompts-get-embedded-resource": because("reference_prompt"),
  },
  "prompts-get-with-image": { "prompts-get-with-image": because("reference_prompt") },
  "resources-read-text": { "resources-read-text": because("reference_resource") },
  "resources-read-binary": { "resources-read-binary": because("reference_resource") },
  "resources-templates-read": { "resources-templates-read": because("reference_resource") },
  "resources-subscribe": { "resources-subscribe": because("no_subscriptions") },
  "resources-unsubscribe": { "resources-unsubscribe": because("no_subscriptions") },
  "tools-call-simple-text": { "tools-call-simple-text": because("reference_tool") },
  "tools-call-image": { "tools-call-image": because("reference_tool") },
  "tools-call-audio": { "tools-call-audio": because("reference_tool") },
  "tools-call-embedded-resource": { "tools-call-embedded-resource": because("reference_tool") },
  "tools-call-mixed-content": { "tools-call-mixed-content": because("reference_tool") },
  "tools-call-error": { "tools-call-error": because("reference_tool") },
  "tools-call-with-progress": { "tools-call-with-progress": because("reference_tool") },
  "tools-call-sampling": { "tools-call-sampling": because("no_input_requests") },
  "tools-call-elicitation": { "tools-call-elicitation": because("no_input_requests") },
  "elicitation-sep1034-defaults": {
    "elicitation-sep1034-general": because("no_input_requests"),
  },
  "elicitation-sep1330-enums": { "elicitation-sep1330-general": because("no_input_requests") },
  "json-schema-2020-12": { "json-schema-2020-12-tool-found": because("reference_tool") },
  "dns-rebinding-protection": { "localhost-host-rebinding-rejected": because("http") },
  "http-header-validation": { "sep-2243-server-reject-invalid-headers": because("http") },
  "http-custom-header-server-validation": {
    "sep-2243-server-no-xmcp-tool": because("http"),
    "sep-2243-server-decode-base64": because("http"),
    "sep-2243-server-validate-param-match": because("http"),
    "sep-2243-server-reject-invalid-param-chars": because("http"),
    "sep-2243-server-reject-param-mismatch": because("http"),
  },
  "server-stateless": {
    "sep-2575-request-meta-invalid-missing-meta": because("both_eras"),
    "sep-2575-request-meta-invalid-missing-protocol-version": because("both_eras"),
    "sep-2575-http-server-meta-invalid-400": because("both_eras"),
    "sep-2575-http-server-header-mismatch-400": because("http"),
    "sep-2575-server-rejects-undeclared-capability": because("no_input_requests"),
    "sep-2575-missing-capability-http-400": because("no_input_requests"),
    "sep-2575-http-server-no-independent-requests-on-stream": because("reference_tool"),
    "sep-2575-server-no-log-without-loglevel": because("reference_tool"),
    "sep-2575-server-sends-subscription-ack": { why: "bridge_time", sometimes: true },
    "sep-2575-server-tags-subscription-id": { why: "bridge_time", sometimes: true },
    "sep-2575-server-honors-notification-filter": { why: "bridge_time", sometimes: true },
  },
  "input-required-result-basic-elicitation": {
    "sep-2322-elicitation-incomplete": because("no_input_requests"),
  },
  "input-required-result-basic-sampling": {
    "sep-2322-sampling-incomplete": because("no_input_requests"),
  },
  "input-required-result-basic-list-roots": {
    "sep-2322-list-roots-incomplete": because("no_input_requests"),
  },
  "input-required-result-request-state": {
    "sep-2322-request-state-incomplete": because("no_input_requests"),
  },
  "input-required-result-multiple-input-requests": {
    "sep-2322-multiple-inputs-incomplete": because("no_input_requests"),
  },
  "input-required-result-multi-round": {
    "sep-2322-multi-round-r1": because("no_input_requests"),
  },
  "input-required-result-non-tool-request": {
    "sep-2322-non-tool-incomplete": because("no_input_requests"),
  },
  "input-required-result-result-type": {
    "sep-2322-result-type-included": because("no_input_requests"),
  },
  "input-required-result-tampered-state": {
    "sep-2322-reject-tampered-state": because("no_input_requests"),
  },
  "input-required-result-capability-check": {
    "sep-2322-respect-client-capabilities": because("no_input_requests"),
  },
};

/** An extension that the server does not offer: none of its scenarios applies. */
export const FOREIGN_SCENARIOS: Readonly<Record<string, Reason>> = { "tasks-": "no_tasks" };
