import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { filesIn } from '../sourceFiles.ts';
import { findCycles } from './findCycles.ts';
import { type Import, readImports } from './readImports.ts';
import { complaintAbout, type Mention, mayUseNode, mayUsePackages } from './zones.ts';

/** Every import below `root` that the table of zones does not allow, and every cycle. */
export function findBreaches(root: string): string[] {
  const files = filesIn(root, ['pages', 'shared', 'workers', 'server', 'simulator'], /\.(ts|tsx|mjs)$/);
  // Configuration belongs to the tools, which run on Node.
  const sources = files.filter((file) => !/(^|\/)vite\.config\.ts$/.test(file));
  const mentions: Mention[] = [];
  const breaches: string[] = [];
  for (const from of sources) {
    for (const each of readImports(from, readFileSync(join(root, from), 'utf8'))) {
      if (isRelative(each)) mentions.push({ from, to: posix.join(posix.dirname(from), each.specifier), how: each.how });
      else breaches.push(...aboutPackage(from, each.specifier));
    }
  }
  for (const mention of mentions) {
    const complaint = complaintAbout(mention);
    if (complaint !== undefined) breaches.push(`${mention.from}: ${mention.how} of ${mention.to}: ${complaint}`);
  }
  return [...breaches, ...findCycles(mentions).map((cycle) => `cycle: ${cycle.join(' > ')}`)];
}

function isRelative({ specifier, how }: Import): boolean {
  return specifier.startsWith('.') || how === 'url';
}

function aboutPackage(from: string, specifier: string): string[] {
  if (isBuiltin(specifier)) return mayUseNode(from) ? [] : [`${from}: ${specifier} where there is no Node`];
  return mayUsePackages(from) ? [] : [`${from}: ${specifier} before anything is installed`];
}
