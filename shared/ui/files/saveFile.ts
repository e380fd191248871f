/** The browser has taken what it needs once the click's task is over; some take a moment longer. */
const REVOKE_AFTER_MS = 10_000;

/** Gives a file to the browser to be saved. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}
