/** A promise that settles when the test opens it: work that waits for it is under way as long as the test looks. */
export function createGate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}
