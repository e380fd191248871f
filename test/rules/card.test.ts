import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, repository } from './sourceFiles.ts';

const REQUIRED = [
  'package.json',
  'vite.config.ts',
  'tsconfig.json',
  'pages',
  'shared',
  'workers',
  'public',
  'test',
  'README.md',
];
const ALLOWED = [...REQUIRED, 'server', 'simulator', 'docs', 'CHANGELOG.md', 'package-lock.json'];
/** Made by commands, and ignored by git. */
const MADE = ['node_modules', 'dist', 'data'];

const PACKAGES = [
  'react',
  'react-dom',
  'i18next',
  'react-i18next',
  'i18next-http-backend',
  '@mui/material',
  '@emotion/react',
  '@emotion/styled',
  'notistack',
  'dayjs',
  'vite',
  'vitest',
  'happy-dom',
  '@testing-library/react',
];

describe('the design card', () => {
  const names = readdirSync(repository);

  it('finds at the top level what it asks for', () => {
    expect(REQUIRED.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('finds nothing else there', () => {
    const others = names.filter((name) => !ALLOWED.includes(name) && !MADE.includes(name));
    expect(others.filter((name) => !name.startsWith('.') && !/^(LICEN[CS]E|NOTICE)/.test(name))).toEqual([]);
  });

  it('finds TypeScript alone in what runs in the browser', () => {
    expect(filesIn(repository, ['pages', 'shared', 'workers'], /\.[cm]?jsx?$/)).toEqual([]);
  });

  it('finds its four entries', () => {
    const entries = filesIn(repository, ['pages'], /^pages\/[^/]+\/index\.html$/);
    expect(entries.sort()).toEqual(['live', 'playback', 'remote', 'shell'].map((entry) => `pages/${entry}/index.html`));
  });

  it('finds its packages', () => {
    const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const present = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(PACKAGES.filter((name) => !(name in present))).toEqual([]);
  });
});
