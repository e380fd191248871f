// localStorage that may be forbidden: a frame of another site whose browser blocks storage throws at the very
// property. What is written then lasts as long as the page.

const pageOnly = new Map<string, string>();

export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key) ?? pageOnly.get(key) ?? null;
  } catch {
    return pageOnly.get(key) ?? null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
    pageOnly.delete(key);
  } catch {
    pageOnly.set(key, value); // blocked, or its quota is full
  }
}
