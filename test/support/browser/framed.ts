import { onTestFinished } from 'vitest';

/** Makes the page of a component test one that another page frames, until the test has finished. */
export function frameThisPage(): void {
  const before = Object.getOwnPropertyDescriptor(window, 'top');
  Object.defineProperty(window, 'top', { value: {}, configurable: true });
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(window, 'top');
    else Object.defineProperty(window, 'top', before);
  });
}
