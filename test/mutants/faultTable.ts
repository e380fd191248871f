import type { Mutant } from './mutant.ts';

/** The table of docs/testing.md. */
export function faultTable(mutants: readonly Mutant[]): string {
  const rows = mutants.map(({ name, area, part }) => `| ${name} | ${area} | ${part.layer} |`);
  return ['| Fault | Area | Found by |', '| --- | --- | --- |', ...rows].join('\n');
}
