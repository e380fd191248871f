// What has been opened and who closes it: parts are closed in the reverse order of their opening.

type Close = () => Promise<void> | void;

export interface Closing {
  add(name: string, close: Close): void;
  /** Closes all, also those behind one that fails. Safe to call twice. */
  close(): Promise<void>;
}

export function createClosing(onFault: (name: string, error: unknown) => void): Closing {
  const parts: { readonly name: string; readonly close: Close }[] = [];
  async function closeAll(): Promise<void> {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      try {
        await part.close();
      } catch (error) {
        onFault(part.name, error);
      }
    }
  }
  let closed: Promise<void> | undefined;
  return {
    add: (name, close) => parts.push({ name, close }),
    close: () => {
      closed ??= closeAll();
      return closed;
    },
  };
}
