import type { Judgment } from '../healthSource.ts';
import { figure, limited } from './figures.ts';

/** Authorities answer within days, and the warning has to be noticed first. */
const CERTIFICATE_WARNING_DAYS = 30;
const CERTIFICATE_PROBLEM_DAYS = 7;
const DAY_MS = 86_400_000;

export interface ServedCertificate {
  readonly expiresAtMs: number;
  /** The gateway makes its own certificate again at a start. */
  readonly isOwn: boolean;
}

/** Judges the certificate in use. Null: the gateway serves plain HTTP, and needs none. */
export function judgeCertificate(certificate: ServedCertificate | null, nowMs: number): Judgment {
  if (certificate === null) {
    return { state: 'ok', values: [figure(['expires-at', 'time'], null)], advice: '' };
  }
  const { expiresAtMs, isOwn } = certificate;
  const days = Math.floor((expiresAtMs - nowMs) / DAY_MS);
  const values = [
    figure(['expires-at', 'time'], expiresAtMs),
    limited(['days-left', 'days'], days, ['least', CERTIFICATE_WARNING_DAYS]),
  ];
  if (days >= CERTIFICATE_WARNING_DAYS) return { state: 'ok', values, advice: '' };
  const advice = isOwn ? 'restart-for-certificate' : 'renew-certificate';
  return { state: days < CERTIFICATE_PROBLEM_DAYS ? 'problem' : 'warning', values, advice };
}
