import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type Span, Visitor } from 'oxc-parser';
import { filesIn } from '../sourceFiles.ts';
import { slownessOf } from './slowPattern.ts';

export interface SlowPattern {
  readonly file: string;
  readonly pattern: string;
  readonly why: string;
}

/** What the operator starts by hand: no text from outside comes there. */
const OWN = /^server\/(?:config|commands|setup)\//;

/** Regular expressions of the gateway whose time may grow faster than the text. */
export function findSlow(root: string): SlowPattern[] {
  return filesIn(root, ['server', 'shared/protocol'], /\.ts$/)
    .filter((file) => !OWN.test(file))
    .flatMap((file) => slowIn(file, readFileSync(join(root, file), 'utf8')));
}

type Node = Span & { readonly type: string; readonly [name: string]: unknown };

function slowIn(file: string, source: string): SlowPattern[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: SlowPattern[] = [];
  const judge = (pattern: string, flags: string): void => {
    const why = slownessOf(pattern, flags);
    if (why !== undefined) found.push({ file, pattern: `/${pattern}/${flags}`, why });
  };
  new Visitor({
    Literal(node) {
      const { regex } = node as unknown as { regex?: { pattern: string; flags: string } };
      if (regex !== undefined) judge(regex.pattern, regex.flags);
    },
    NewExpression(node) {
      const { callee, arguments: given } = node as unknown as { callee: Node; arguments: readonly Node[] };
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
      const [pattern, flags] = given;
      if (pattern?.type === 'Literal') judge(String(pattern.value), String(flags?.value ?? ''));
      else found.push({ file, pattern: withoutDollars(source.slice(node.start, node.end)), why: 'it is put together' });
    },
  }).visit(program);
  return found;
}

/** A text with a placeholder would look as if somebody had forgotten to make it a template. */
function withoutDollars(text: string): string {
  return text.replaceAll('$', '');
}
