// The storages of the window that component tests have. From version 25 on Node has some of its own: they stay in the place of the
// window's, and one of them is undefined where no file is named for it.
export function setStorages(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, { configurable: true, value: new Storage() });
  }
}
