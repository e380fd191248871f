import { describe, expect, it } from 'vitest';
import { helpText, variablesTable } from '../../../../server/config/help.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { type Config, variables } from '../../../../server/config/variables.ts';

function configOf(env: Record<string, string>): Config {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.config;
}

function problemsOf(env: Record<string, string>): readonly string[] {
  const read = readConfig(env);
  return read.ok ? [] : read.problems;
}

describe('the configuration', () => {
  it('is complete without a single variable', () => {
    expect(configOf({})).toEqual({
      host: '0.0.0.0',
      port: 8080,
      httpPort: undefined,
      tls: 'off',
      tlsCert: undefined,
      tlsKey: undefined,
      trustedProxies: [],
      frameAncestors: [],
      jt808Port: 7808,
      jt808AcknowledgedIds: ['0506'],
      jt1078Port: 7078,
      publicHost: undefined,
      publicJt1078Port: undefined,
      dataDir: 'data',
      databaseUrl: undefined,
      recordingDir: undefined,
      recording: 'off',
      recordingRetentionDays: 0,
      positionRetentionDays: 365,
      eventRetentionDays: 365,
      recordingMinFreeMb: 2048,
      recordingMaxMb: 0,
      evidenceMaxMb: 51_200,
      publicUrl: undefined,
      notifyNetworks: [],
      tripMinMeters: 200,
      tripMinSeconds: 60,
      tripStopMinutes: 5,
      netflowOverheadPercent: 4,
      reportMaxMb: 4_096,
      firmwareApproval: 'second',
      firmwareUrl: undefined,
      uploadMaxMb: 10_240,
      syncFilesMaxMb: 1_024,
      syncFilesDays: 30,
      eventMediaMaxMb: 10_240,
      attachmentPort: 7_090,
      ftpPort: 7_021,
      ftpPassivePorts: { first: 7_022, last: 7_041 },
      publicFtpPort: undefined,
      recordingSyncSeconds: 5,
      adminPassword: undefined,
      metricsToken: undefined,
      logLevel: 'info',
      mapAttribution: '',
      mapOrigins: [],
      mapPmtiles: undefined,
      mapStyleUrl: undefined,
      webTitle: '',
      liveLayout: '',
      playbackLayout: '',
      maxLicense: 0,
      licenseExpiresMs: 0,
      backupS3Region: 'us-east-1',
      backgroundNiceness: 19,
      backupS3Prefix: '',
    });
  });

  it('takes an empty variable as one that is not set', () => {
    expect(configOf({ PORT: '', LOG_LEVEL: '' })).toEqual(configOf({}));
  });

  it('reads lists, days and numbers', () => {
    const config = configOf({
      FRAME_ANCESTORS: 'https://a.example,  https://*.b.example:8443',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1 loopback',
      LICENSE_EXPIRES: '2028-02-29',
      PORT: '0',
      DATABASE_URL: 'postgres://user:p%40ss@db:5432/fleet',
    });
    expect(config.frameAncestors).toEqual(['https://a.example', 'https://*.b.example:8443']);
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1', 'loopback']);
    expect(config.licenseExpiresMs).toBe(Date.UTC(2028, 1, 29));
    expect(config.port).toBe(0);
  });

  it.each([
    ['PORT', '80a', 'PORT takes a whole number from 0 to 65535, not "80a"'],
    ['PORT', '65536', 'PORT takes a whole number from 0 to 65535, not "65536"'],
    [
      'JT808_ACKNOWLEDGED_IDS',
      '0506,5',
      'JT808_ACKNOWLEDGED_IDS takes message IDs of four hexadecimal digits, separated by commas, not "0506,5"',
    ],
    ['PORT', '-1', 'PORT takes a whole number from 0 to 65535, not "-1"'],
    ['PORT', '1e3', 'PORT takes a whole number from 0 to 65535, not "1e3"'],
    ['JT1078_PORT', '65533', 'JT1078_PORT takes a whole number from 0 to 65532, not "65533"'],
    ['HOST', 'a b', 'HOST takes an address of this machine, not "a b"'],
    ['TLS', 'on', 'TLS takes off or self-signed, not "on"'],
    ['LIVE_LAYOUT', '2x2', 'LIVE_LAYOUT takes nothing or 3x3, not "2x2"'],
    ['LICENSE_EXPIRES', '2027-02-30', 'LICENSE_EXPIRES takes a day as yyyy-MM-dd, not "2027-02-30"'],
    ['LICENSE_EXPIRES', '1.2.2027', 'LICENSE_EXPIRES takes a day as yyyy-MM-dd, not "1.2.2027"'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL takes fatal, error, warn, info, debug, trace or silent, not "loud"'],
    [
      'FRAME_ANCESTORS',
      "https://a.example; script-src 'unsafe-inline'",
      `FRAME_ANCESTORS takes origins, such as https://portal.example, separated by commas, not "https://a.example; script-src 'unsafe-inline'"`,
    ],
    [
      'BACKUP_S3_ENDPOINT',
      'https://s3.example/bucket',
      'BACKUP_S3_ENDPOINT takes a URL without a path, such as https://s3.example:9000, not "https://s3.example/bucket"',
    ],
    [
      'BACKUP_S3_PREFIX',
      'a/../b',
      'BACKUP_S3_PREFIX takes words of letters, digits, dots, dashes and underscores, separated by slashes, not "a/../b"',
    ],
    ['BACKUP_S3_BUCKET', 'A_bucket', 'BACKUP_S3_BUCKET takes the name of a bucket, not "A_bucket"'],
    [
      'TRUSTED_PROXIES',
      'proxy.example',
      'TRUSTED_PROXIES takes addresses or networks, such as 10.0.0.0/8, separated by commas, not "proxy.example"',
    ],
  ])('refuses %s=%s in one line that names it and what it takes', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem]);
  });

  it.each([
    ['ADMIN_PASSWORD', 'seven77'],
    ['METRICS_TOKEN', 'has a space in it'],
    ['DATABASE_URL', 'mysql://user:secret@db/fleet'],
    ['BACKUP_S3_SECRET_KEY', 'a secret with spaces'],
    ['BACKUP_S3_ACCESS_KEY', 'AKID with spaces'],
  ])('never repeats the value of %s', (name, value) => {
    const [problem = ''] = problemsOf({ [name]: value });
    expect(problem).toContain(name);
    expect(problem).not.toContain(value);
    expect(problem).not.toContain('not "');
  });

  it('names all that is wrong at once', () => {
    expect(problemsOf({ PORT: 'x', TLS: 'y', LOG_LEVEL: 'z' })).toHaveLength(3);
  });

  it.each<readonly [Record<string, string>, string]>([
    [{ TLS_CERT: 'a' }, 'TLS_CERT'],
    [{ TLS_KEY: 'a' }, 'TLS_KEY'],
    [{ TLS: 'self-signed', TLS_CERT: 'a', TLS_KEY: 'b' }, 'TLS '],
    [{ HTTP_PORT: '80' }, 'HTTP_PORT'],
    [{ BACKUP_S3_PREFIX: 'north' }, 'BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY'],
    [
      { BACKUP_S3_ENDPOINT: 'https://s3.example', BACKUP_S3_ACCESS_KEY: 'k', BACKUP_S3_BUCKET: 'abc' },
      'take BACKUP_S3_SECRET_KEY',
    ],
  ])('refuses %j, which do not go together', (env, name) => {
    const problems = problemsOf(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
  });

  it('takes a redirect beside either kind of TLS', () => {
    expect(configOf({ TLS: 'self-signed', HTTP_PORT: '80' }).httpPort).toBe(80);
    expect(configOf({ TLS_CERT: 'a', TLS_KEY: 'b', HTTP_PORT: '80' }).httpPort).toBe(80);
  });
});

describe('the help', () => {
  it.each(Object.values(variables).map((variable) => [variable.name, variable]))(
    'says what %s takes and does',
    (name, variable) => {
      for (const text of [helpText(), variablesTable()]) {
        expect(text).toContain(name);
        expect(text).toContain(variable.parser.description);
        expect(text).toContain(variable.about);
        if (variable.preset !== '') expect(text).toContain(variable.preset);
      }
    },
  );
});
