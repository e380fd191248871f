import { useEffect, useState } from 'react';
import { readStored, writeStored } from '../../../shared/i18n/browserStorage.ts';
import type { UserStatus } from '../../../shared/protocol/api.ts';
import { type LicenseNotice, licenseNotice } from '../../../shared/protocol/license.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { utcDayOf } from '../../../shared/protocol/utcDay.ts';
import { useServerInfo } from '../../../shared/ui/serverInfo.ts';

/** What was closed in this browser last: the next day of the notices shows it again. */
const CLOSED_KEY = 'fleetglass:license-notice';

export interface ShownLicense {
  readonly notice: Exclude<LicenseNotice, { readonly kind: 'none' }>;
  /** The day on which it ends, in UTC as it is set. */
  readonly day: string;
  readonly onClose: () => void;
}

/** Undefined where there is nothing to say, or not to this user. */
export function useLicenseNotice({ permission }: Pick<UserStatus, 'permission'>): ShownLicense | undefined {
  const { info } = useServerInfo();
  const nowMs = useHourlyNow();
  const [closed, setClosed] = useState(() => readStored(CLOSED_KEY));
  const expiresMs = (info?.expired ?? 0) * 1_000;
  const notice = licenseNotice(expiresMs, nowMs);
  if (notice.kind === 'none' || !permission.includes(Permission.System)) return undefined;
  const name = `${expiresMs} ${notice.kind === 'expiring' ? notice.within : 0}`;
  if (closed === name) return undefined;
  const onClose = () => {
    writeStored(CLOSED_KEY, name);
    setClosed(name);
  };
  return { notice, day: utcDayOf(expiresMs), onClose };
}

const HOUR_MS = 3_600_000;

/** A screen in a control room stays open for weeks. */
function useHourlyNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), HOUR_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
