/** A simulated terminal goes on after a fault of its own, as a real one is not the gateway's to end. */
export function reportFault(error: Error): void {
  process.stderr.write(`A simulated terminal failed: ${error.stack ?? error.message}\n`);
}
