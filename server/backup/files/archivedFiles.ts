// The names of an installation's files in an archive, and their places below DATA_DIR.
import { INSTALLATION_FILES, type InstallationFileName } from '../../installation.ts';
import type { FileHeader } from '../archive/manifest.ts';

const KEYS: ReadonlyMap<string, InstallationFileName> = new Map<string, InstallationFileName>([
  ['sealing-key', 'sealingKey'],
  ['evidence-key', 'evidenceKey'],
  ['tls-key', 'tlsKey'],
]);
const CERTIFICATES: ReadonlyMap<string, InstallationFileName> = new Map<string, InstallationFileName>([
  ['tls-certificate', 'tlsCertificate'],
]);

const SHA256 = /^[0-9a-f]{64}$/;
const RANDOM = /^[0-9a-f]{32}$/;
const REPORT_ENDING = '.db';

/** Path with `/` between folders. Undefined for a name that no file of the installation has. */
export function placeOf({ kind, name }: FileHeader): string | undefined {
  switch (kind) {
    case 'key':
      return pathOf(KEYS.get(name));
    case 'certificate':
      return pathOf(CERTIFICATES.get(name));
    case 'firmware':
      return SHA256.test(name) ? `${INSTALLATION_FILES.firmware.path}/${name}` : undefined;
    case 'event-media':
      return RANDOM.test(name) ? `${INSTALLATION_FILES.evidence.path}/${name.slice(0, 2)}/${name}` : undefined;
    case 'report':
      return RANDOM.test(name) ? `${INSTALLATION_FILES.reports.path}/${name}${REPORT_ENDING}` : undefined;
  }
}

function pathOf(file: InstallationFileName | undefined): string | undefined {
  return file === undefined ? undefined : INSTALLATION_FILES[file].path;
}

/** The file of that path below DATA_DIR. Undefined for a file that no backup contains. */
export function headerOf(path: string): FileHeader | undefined {
  const parts = path.split('/');
  const name = (parts.at(-1) ?? '').replace(/\.db$/, '');
  const candidates: FileHeader[] = [
    ...[...KEYS.keys()].map((key) => ({ kind: 'key', name: key }) as const),
    ...[...CERTIFICATES.keys()].map((key) => ({ kind: 'certificate', name: key }) as const),
    { kind: 'firmware', name },
    { kind: 'event-media', name },
    { kind: 'report', name },
  ];
  return candidates.find((header) => placeOf(header) === path);
}
