// With what the wall's devices are opened. The same session gets the same credentials, so asking again changes nothing
// while the session lasts, and brings the pictures back after somebody has signed in anew.
import { useEffect, useState } from 'react';
import { openDeviceView } from '../../../../shared/api/dashboard.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';

export type ViewLink =
  | { readonly kind: 'link'; readonly link: string }
  /** Why this device cannot be opened now; it is asked again. */
  | { readonly kind: 'refused'; readonly text: string };

const RENEW_MS = 5 * 60_000;
const RETRY_MS = 20_000;

/** By device id; a device is missing until it was asked for. */
export function useViewLinks(deviceIds: readonly string[]): ReadonlyMap<string, ViewLink> {
  const [links, setLinks] = useState<ReadonlyMap<string, ViewLink>>(new Map());
  const key = JSON.stringify([...new Set(deviceIds)].sort());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const ids = JSON.parse(key) as readonly string[];
      const answers = await Promise.all(ids.map(askOne));
      if (!isCurrent) return;
      setLinks((before) => mergeLinks(before, answers));
      const isWhole = answers.every(([, answer]) => answer?.kind === 'link');
      timer = setTimeout(() => void ask(), isWhole ? RENEW_MS : RETRY_MS);
    };
    void ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return links;
}

type Answer = readonly [string, ViewLink | undefined];

/** Undefined when the gateway could not be asked: what was known stays. */
async function askOne(deviceId: string): Promise<Answer> {
  const result = await openDeviceView(deviceId);
  if (result.ok) return [deviceId, { kind: 'link', link: result.value }];
  if (result.kind !== 'http') return [deviceId, undefined];
  return [deviceId, { kind: 'refused', text: errorText(result) ?? '' }];
}

function mergeLinks(before: ReadonlyMap<string, ViewLink>, answers: readonly Answer[]): ReadonlyMap<string, ViewLink> {
  const next = new Map(before);
  for (const [deviceId, answer] of answers) if (answer !== undefined) next.set(deviceId, answer);
  return next;
}
