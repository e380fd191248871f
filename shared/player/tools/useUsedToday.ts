import { useEffect, useState } from 'react';
import { getUserStatus } from '../../api/accounts/user.ts';
import { Permission } from '../../protocol/permissions.ts';
import { isTimeZone } from '../../protocol/timeZones.ts';

/** Bytes; undefined while they aren't known, and for viewers who may not see them: most viewers of a share link have no account. */
export function useUsedToday(deviceId: string | undefined): number | undefined {
  const [bytes, setBytes] = useState<number>();
  useEffect(() => {
    setBytes(undefined);
    if (deviceId === undefined) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const status = await getUserStatus(abort.signal);
      if (!status.ok || !status.value.permission.includes(Permission.Netflow)) return;
      // Loaded apart from the tools: it reads records, and few viewers see any.
      const { getUsedToday, USED_TODAY_EVERY_MS } = await import('../../api/netflow/usedToday.ts');
      const timeZone = zoneOf(status.value.timezone);
      const used = await getUsedToday({ deviceId, timeZone, nowMs: Date.now() }, abort.signal);
      if (abort.signal.aborted) return;
      setBytes(used.ok ? used.value : undefined);
      timer = setTimeout(run, USED_TODAY_EVERY_MS);
    };
    // Without an answer there is no such row: the figures of the stream don't depend on it.
    const run = (): void => void ask().catch(() => undefined);
    run();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [deviceId]);
  return bytes;
}

/** Like `zoneOrBrowser`, but without the date library: it would be one more script of the shell, which few others share. */
function zoneOf(own: string | undefined): string {
  const isKnown = own !== undefined && own !== '' && isTimeZone(own);
  return isKnown ? own : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
