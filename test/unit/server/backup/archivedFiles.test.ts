import { describe, expect, it } from 'vitest';
import { headerOf, placeOf } from '../../../../server/backup/files/archivedFiles.ts';
import { INSTALLATION_FILES, type InstallationFile } from '../../../../server/installation.ts';

const HEX = '0123456789abcdef0123456789abcdef';

describe('a file of an archive', () => {
  it.each([
    ['second-factor.key', 'key'],
    ['evidence.key', 'key'],
    ['tls/key.pem', 'key'],
    ['tls/cert.pem', 'certificate'],
    [`firmware/${HEX}${HEX}`, 'firmware'],
    [`evidence/01/${HEX}`, 'event-media'],
    [`reports/${HEX}.db`, 'report'],
  ])('has its place at %s', (path, kind) => {
    const header = headerOf(path);
    expect(header).toMatchObject({ kind });
    expect(header && placeOf(header)).toBe(path);
  });

  it.each(['fleetglass.db', 'firmware/a', `evidence/02/${HEX}`, 'evidence/incoming/a', 'reports/a.db', 'a', ''])(
    'is not what lies at %j',
    (path) => {
      expect(headerOf(path)).toBeUndefined();
    },
  );

  it('has no place when its name is not of ours', () => {
    expect(placeOf({ kind: 'key', name: 'passwd' })).toBeUndefined();
    expect(placeOf({ kind: 'event-media', name: 'a' })).toBeUndefined();
  });

  it('is found for every key of an installation', () => {
    const keys = Object.values<InstallationFile>(INSTALLATION_FILES).filter(
      ({ backup }) => backup === 'encrypted-only',
    );
    expect(keys.map(({ path }) => headerOf(path)?.kind)).not.toContain(undefined);
  });
});
