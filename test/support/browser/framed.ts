import { onTestFinished } from 'vitest';

/** Makes the page of a component test one that a page of another site frames, until the test has finished. */
export function frameThisPage(): void {
  for (const name of ['top', 'parent']) {
    const before = Object.getOwnPropertyDescriptor(window, name);
    Object.defineProperty(window, name, { value: {}, configurable: true });
    onTestFinished(() => {
      if (before === undefined) Reflect.deleteProperty(window, name);
      else Object.defineProperty(window, name, before);
    });
  }
}
