// When members are notified that the license is about to end or has ended; nothing stops for it. Pure.

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Days before the end on which holders of `system` are notified, the furthest first. */
const LICENSE_NOTICE_DAYS = [30, 7, 1] as const;
type LicenseNoticeDays = (typeof LICENSE_NOTICE_DAYS)[number];

export type LicenseNotice =
  | { readonly kind: 'none' }
  /** `within`: the last of these days that has come. */
  | { readonly kind: 'expiring'; readonly within: LicenseNoticeDays }
  | { readonly kind: 'expired' };

/** `expiresMs`: 0 for never. */
export function licenseNotice(expiresMs: number, nowMs: number): LicenseNotice {
  if (expiresMs === 0) return { kind: 'none' };
  const leftMs = expiresMs - nowMs;
  if (leftMs <= 0) return { kind: 'expired' };
  const within = LICENSE_NOTICE_DAYS.findLast((days) => leftMs <= days * DAY_MS);
  return within === undefined ? { kind: 'none' } : { kind: 'expiring', within };
}
