/**
 * At most one process that waits for a request with pytest imported and no project code seen.
 *
 * @module
 */
import type { PythonProcess } from "./python_process.ts";

/** Keeps one process ready for the interpreter that was used last. */
export class WarmProcess {
  #waiting: PythonProcess | undefined;
  readonly #start: (python: string) => PythonProcess;

  /** `start` may throw: a run that follows says why. */
  constructor(start: (python: string) => PythonProcess) {
    this.#start = start;
  }

  /** Makes sure that a process waits for this interpreter; another one is let go. */
  prepare(python: string): void {
    if (this.#waiting?.python === python) return;
    this.dismiss();
    try {
      const process = this.#start(python);
      this.#waiting = process;
      process.gone.then(() => {
        if (this.#waiting !== process) return;
        this.#waiting = undefined;
        process.leave();
      });
    } catch {
      // The interpreter is gone or may not be run.
    }
  }

  /** The process that waits for this interpreter, no longer ours. */
  take(python: string): PythonProcess | undefined {
    if (this.#waiting?.python !== python) return undefined;
    const process = this.#waiting;
    this.#waiting = undefined;
    return process;
  }

  /** Lets the waiting process go. */
  dismiss(): void {
    this.#waiting?.cancel();
    this.#waiting?.leave(); // else its pipes would stay open as long as the server
    this.#waiting = undefined;
  }
}
