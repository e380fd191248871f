// The links by which the devices of a wall are opened, as last given by the gateway. Pure.

export type ViewLink =
  | { readonly kind: 'link'; readonly link: string }
  /** Why this device cannot be opened now; it is asked again. */
  | { readonly kind: 'refused'; readonly text: string };

export type ViewAnswer =
  | ViewLink
  /** The gateway could not say, for now: nothing is known of this device's access. */
  | { readonly kind: 'unknown'; readonly text: string };

/** Whether an answer of this status says nothing of the device: the gateway failed, or was asked too often. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}

/** A picture that runs is not taken away because the gateway could not answer for a moment. */
export function mergeLinks(
  before: ReadonlyMap<string, ViewLink>,
  answers: readonly (readonly [string, ViewAnswer])[],
): ReadonlyMap<string, ViewLink> {
  const next = new Map(before);
  for (const [deviceId, answer] of answers) {
    if (answer.kind !== 'unknown') next.set(deviceId, answer);
    else if (before.get(deviceId)?.kind !== 'link') next.set(deviceId, { kind: 'refused', text: answer.text });
  }
  return next;
}
