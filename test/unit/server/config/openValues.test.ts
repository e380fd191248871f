import { expect, it } from 'vitest';
import { openValues } from '../../../../server/config/openValues.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';

it('tells numbers and choices of a configuration, and of other texts whether they are set', () => {
  const secrets = {
    ADMIN_PASSWORD: 'correct horse battery',
    METRICS_TOKEN: 'aaaabbbbccccdddd',
    DATABASE_URL: 'postgres://mei:secret@db.example:5432/fleet',
    WEB_TITLE: 'Northern Fleet',
    PUBLIC_HOST: 'fleet.example',
    DATA_DIR: '/srv/northern',
    MAP_STYLE_URL: 'https://tiles.example/style.json',
    BACKUP_S3_ENDPOINT: 'https://s3.example:9000',
    BACKUP_S3_BUCKET: 'northern-backups',
    BACKUP_S3_PREFIX: 'fleet/north',
    BACKUP_S3_ACCESS_KEY: 'AKIDNORTHERN',
    BACKUP_S3_SECRET_KEY: 'planted/secret+key',
  };
  const read = readConfig({ ...secrets, PORT: '8443', LOG_LEVEL: 'debug', MAX_LICENSE: '25' });
  if (!read.ok) throw new Error(read.problems.join());
  const open = openValues(read.config);
  expect(open).toMatchObject({
    PORT: 8443,
    LOG_LEVEL: 'debug',
    MAX_LICENSE: 25,
    RECORDING: 'off',
    TRUSTED_PROXIES: false,
  });
  for (const [name, value] of Object.entries(secrets)) {
    expect([name, open[name]]).toEqual([name, true]);
    expect(JSON.stringify(open)).not.toContain(value);
  }
});
