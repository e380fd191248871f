// Whether a configured background shows anything: its style may load, and what it is drawn from never. Pure.

export class MapHealth {
  #hasData = false;
  #failedUrl: string | undefined;

  /** Another background begins. */
  begin(): void {
    this.#hasData = false;
    this.#failedUrl = undefined;
  }

  loaded(): void {
    this.#hasData = true;
  }

  failed(url: string): void {
    this.#failedUrl ??= url;
  }

  /** Asked when nothing is on its way any more: an address that failed, where nothing has come from any other. */
  get deadUrl(): string | undefined {
    return this.#hasData ? undefined : this.#failedUrl;
  }
}

/** The address that a source of the map could not load; undefined for faults of another kind. */
export function failedAddress(event: { readonly error?: unknown; readonly sourceId?: unknown }): string | undefined {
  if (event.sourceId === undefined || typeof event.error !== 'object' || event.error === null) return undefined;
  const { url } = event.error as { readonly url?: unknown };
  return typeof url === 'string' ? url : undefined;
}
