// Every translation key that pages and shared code ask for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, repository } from '../sourceFiles.ts';
import { COMPUTED_KEYS, GATEWAY_KEYS } from './computedKeys.ts';
import { findUsedKeys, type KeyUse, type UsedKey } from './usedKeys.ts';

export interface KeyInUse extends UsedKey {
  /** A text is its own English; the English of a code is written by hand. */
  readonly isCode: boolean;
}

export interface FileKeys extends KeyUse {
  readonly file: string;
}

/** Codes that a source names literally. */
const LITERAL_CODES: readonly UsedKey[] = [
  { namespace: 'Common', key: 'connect failed' }, // fixed by the specification
  { namespace: 'Errors', key: 'second-factor-owed' },
];

/** The calls of `t` in each source file. */
export function keysByFile(): readonly FileKeys[] {
  const sources = filesIn(repository, ['pages', 'shared'], /\.tsx?$/);
  return sources
    .filter((file) => !file.endsWith('vite.config.ts'))
    .map((file) => ({ file, ...findUsedKeys(file, readFileSync(join(repository, file), 'utf8')) }));
}

/** Literal and computed keys, each as often as it is used. */
export function keysInUse(files: readonly FileKeys[]): readonly KeyInUse[] {
  const tables = [...Object.values(COMPUTED_KEYS), ...GATEWAY_KEYS].map(({ namespace, kind, keys }) => ({
    isCode: kind === 'codes',
    keys: keys().map((key) => ({ namespace, key })),
  }));
  const computedCodes = tables.filter(({ isCode }) => isCode).flatMap(({ keys }) => keys);
  const codes = new Set([...LITERAL_CODES, ...computedCodes].map(nameOf));
  const used = [...files, ...tables].flatMap(({ keys }) => keys);
  return used.map((key) => ({ ...key, isCode: codes.has(nameOf(key)) }));
}

function nameOf({ namespace, key }: UsedKey): string {
  return `${namespace}: ${key}`;
}
