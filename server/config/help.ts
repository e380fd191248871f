// The table of variables as people read it: on the terminal, and in docs/configuration.md.
import type { Variable } from './variable.ts';
import { variables } from './variables.ts';

const declared: readonly Variable<unknown>[] = Object.values(variables);

/** What `--help` prints. */
export function helpText(): string {
  const lines = declared.map((variable) => {
    const preset = variable.preset === '' ? '' : ` (${variable.preset})`;
    return `  ${variable.name}${preset}\n      ${variable.about}\n      Takes ${variable.parser.description}.`;
  });
  return ['Usage: npm start', '', 'Environment variables, defaults in parentheses:', '', ...lines, ''].join('\n');
}

/** The same as a Markdown table. */
export function variablesTable(): string {
  const rows = declared.map(({ name, preset, parser, about }) => {
    const shown = preset === '' ? '' : `\`${preset}\``;
    return `| \`${name}\` | ${shown} | ${parser.description} | ${about} |`;
  });
  return ['| Variable | Default | Values | Description |', '|---|---|---|---|', ...rows, ''].join('\n');
}
