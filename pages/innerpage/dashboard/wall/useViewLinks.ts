// The links by which the wall's devices are opened. The same session gets the same credentials, so asking again changes nothing while
// the session lasts, and brings the pictures back after somebody has signed in again.
import { useEffect, useState } from 'react';
import { openDeviceView } from '../../../../shared/api/links.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { isPassing, mergeLinks, type ViewAnswer, type ViewLink } from './viewLinks.ts';

const RENEW_MS = 5 * 60_000;
const RETRY_MS = 20_000;

/** The links by device ID; a device is missing until its link has been requested. */
export function useViewLinks(deviceIds: readonly string[]): ReadonlyMap<string, ViewLink> {
  const [links, setLinks] = useState<ReadonlyMap<string, ViewLink>>(new Map());
  const key = JSON.stringify([...new Set(deviceIds)].sort());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const ids = JSON.parse(key) as readonly string[];
      const answers = await Promise.all(ids.map(async (id) => [id, await askOne(id)] as const));
      if (!isCurrent) return;
      setLinks((before) => mergeLinks(before, answers));
      const isWhole = answers.every(([, { kind }]) => kind === 'link');
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

async function askOne(deviceId: string): Promise<ViewAnswer> {
  const result = await openDeviceView(deviceId);
  if (result.ok) return { kind: 'link', link: result.value.link };
  const text = errorText(result) ?? '';
  const isRefused = result.kind === 'http' && !isPassing(result.status);
  return { kind: isRefused ? 'refused' : 'unknown', text };
}
