import { expect, it } from 'vitest';
import { nodeComplaint } from '../../../../server/setup/nodeVersion.mjs';

it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '26.0.0-nightly20261101'])('takes Node %s', (version) => {
  expect(nodeComplaint(version, '>=20.19.0')).toBeNull();
});

it.each(['20.18.9', '18.20.4', '9.99.99'])('says what is needed on Node %s', (version) => {
  expect(nodeComplaint(version, '>=20.19.0')).toMatch(`Node 20.19.0 or newer is needed; this is Node ${version}.`);
});
