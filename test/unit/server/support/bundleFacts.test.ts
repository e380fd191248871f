import { describe, expect, it } from 'vitest';
import { scrubbedAbout, scrubbedHealth, scrubbedSettings, tableName } from '../../../../server/support/bundleFacts.ts';
import { Pseudonyms } from '../../../../server/support/pseudonyms.ts';
import type { HealthCheck } from '../../../../shared/protocol/api/system/health.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { AN_ABOUT, SETTINGS } from '../../../support/bundle/bundleSources.ts';

const pseudonyms = new Pseudonyms(new Uint8Array(32));
const isOwnTable = (table: string): boolean => table === 'device';

describe('facts of a support bundle', () => {
  it('have what runs, hosts by their pseudonyms and the key by its fingerprint', () => {
    const about = scrubbedAbout(AN_ABOUT, pseudonyms);
    expect(about).toMatchObject({
      version: '9.8.7',
      previousVersion: '9.8.6',
      schemaVersion: 1,
      database: AN_ABOUT.database,
      evidenceKey: 'abcd 0123',
      gateways: [{ host: pseudonyms.of('host', 'north.example'), version: '9.8.7', isThis: true }],
    });
    const text = JSON.stringify(about);
    for (const left of ['north.example', 'BEGIN PUBLIC KEY', 'Ninth']) expect(text).not.toContain(left);
  });

  it('have settings without titles, and tell one that is not set from one that is', () => {
    const settings = scrubbedSettings(SETTINGS, pseudonyms);
    expect(settings).toMatchObject({ liveLayout: '3x3', maxLicense: 25, webTitle: expect.stringMatching(/^title-/) });
    expect(JSON.stringify(settings)).not.toMatch(/Northern|Mei/);
    expect(scrubbedSettings({ ...SETTINGS, webTitle: null }, pseudonyms).webTitle).toBeNull();
  });

  it('have checks by their roles, and no names of tables that are not ours', () => {
    const check = (kind: HealthCheck['kind'], subject: string): HealthCheck => ({
      ...{ id: `${kind}/${subject}`, kind, subject, state: 'ok', advice: 'none' as HealthCheck['advice'] },
      values: [],
    });
    const subjects = [
      check('ports', 'jt808'),
      check('tables', 'device'),
      check('tables', ''),
      check('tables', 'mei_private'),
      check('disks', '/srv/Mei'),
    ];
    const { checks } = scrubbedHealth(
      { checkedAtMs: wallMs(1), state: 'ok', checks: subjects },
      isOwnTable,
      pseudonyms,
    );
    expect(checks.map(({ subject }) => subject)).toEqual([
      'jt808',
      'device',
      '',
      pseudonyms.of('table', 'mei_private'),
      pseudonyms.of('text', '/srv/Mei'),
    ]);
    expect(JSON.stringify(checks)).not.toMatch(/mei/i);
    expect(tableName('mei_private', isOwnTable, pseudonyms)).toBe(pseudonyms.of('table', 'mei_private'));
  });
});
