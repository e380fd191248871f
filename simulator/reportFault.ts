/** What plays a terminal or a member goes on after a fault of its own: the gateway does not end with it. */
export function reportFault(error: Error): void {
  process.stderr.write(`A simulated terminal or member failed: ${error.stack ?? error.message}\n`);
}
