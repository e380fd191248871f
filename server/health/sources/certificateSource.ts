import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgeCertificate, type ServedCertificate } from '../rules/certificateRule.ts';

/** `certificate`: the one in use. */
export function createCertificateSource(certificate: () => ServedCertificate | null, now: () => number): HealthSource {
  return {
    kind: 'certificate',
    read: async () => [checkOf('certificate', '', judgeCertificate(certificate(), now()))],
  };
}
