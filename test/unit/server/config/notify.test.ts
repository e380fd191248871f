import { expect, it } from 'vitest';
import { readConfig } from '../../../../server/config/readConfig.ts';

function read(env: Readonly<Record<string, string>>) {
  const config = readConfig(env);
  return config.ok ? config.config : undefined;
}

it.each(['https://fleet.example', 'http://10.0.0.5:8080', 'https://fleet.example/app/x', 'https://[::1]:8443'])(
  'PUBLIC_URL can be %s',
  (url) => {
    expect(read({ PUBLIC_URL: url })?.publicUrl).toBe(url);
  },
);

it.each([
  'fleet.example',
  'https://fleet.example/',
  'https://a@fleet.example',
  'https://fleet.example?x=1',
  'ftp://a',
  'https://a b',
])('PUBLIC_URL can not be %s', (url) => {
  expect(read({ PUBLIC_URL: url })).toBeUndefined();
});

it('NOTIFY_NETWORKS takes addresses and networks', () => {
  expect(read({})?.notifyNetworks).toEqual([]);
  expect(read({ NOTIFY_NETWORKS: '10.0.0.0/8, ::1 fd00::/8' })?.notifyNetworks).toEqual([
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
  ]);
});

it.each([
  '10.0.0.0/33',
  '::1/129',
  '10.0.0/8',
  'localhost',
  '10.0.0.0/8/8',
  'fe80::1%eth0',
  '10.0.0.0/-1',
  '10.0.0.0/',
])('NOTIFY_NETWORKS can not have %s', (network) => {
  expect(read({ NOTIFY_NETWORKS: network })).toBeUndefined();
});
