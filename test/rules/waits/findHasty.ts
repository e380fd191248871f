import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type Span, Visitor } from 'oxc-parser';
import { filesIn } from '../sourceFiles.ts';

type Node = Span & { readonly type: string; readonly [name: string]: unknown };

/** What Playwright reads of a page at once, whatever the page is about to do. */
const READS = new Set([
  'allInnerTexts',
  'allTextContents',
  'count',
  'getAttribute',
  'innerText',
  'inputValue',
  'isChecked',
  'isDisabled',
  'isEnabled',
  'isHidden',
  'isVisible',
  'textContent',
]);
/** Tests that have a page. */
const WITH_PAGE = /^test\/(e2e|browser)\//;

export interface Hasty {
  readonly file: string;
  readonly line: number;
  readonly what: 'a fixed sleep' | 'a page that is read once' | 'a focus that may not be taken';
}

/** What makes a test fail by chance: it sleeps for a fixed time, reads a page once after something asynchronous, or presses a key on what may be disabled. Benches measure for as long as they are told. */
export function findHasty(root: string): Hasty[] {
  return filesIn(root, ['test'], /\.tsx?$/)
    .filter((file) => !/^test\/bench\/|\/fixtures\//.test(file))
    .flatMap((file) => hastyIn(file, readFileSync(join(root, file), 'utf8')));
}

export function hastyIn(file: string, source: string): Hasty[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Hasty[] = [];
  const report = (node: Span, what: Hasty['what']): void => {
    found.push({ file, line: source.slice(0, node.start).split('\n').length, what });
  };
  new Visitor({
    AwaitExpression({ argument }) {
      if (isFixedSleep(argument as unknown as Node)) report(argument, 'a fixed sleep');
    },
    CallExpression(node) {
      if (WITH_PAGE.test(file) && readOnce(node as unknown as Node) !== undefined) {
        report(node, 'a page that is read once');
      }
      if (WITH_PAGE.test(file) && givesFocus(node as unknown as Node)) report(node, 'a focus that may not be taken');
    },
  }).visit(program);
  return found;
}

/** The read in `expect(await locator.count())`; undefined for any other call. */
function readOnce(call: Node): Node | undefined {
  const [given] = call.arguments as readonly Node[];
  if (nameOf(call.callee as Node) !== 'expect' || given?.type !== 'AwaitExpression') return undefined;
  const read = given.argument as Node;
  return read.type === 'CallExpression' && READS.has(methodOf(read)) ? read : undefined;
}

/** `locator.focus()` and `locator.press('Enter')`, which go nowhere on an element that is disabled: `focusOn` and `pressOn` wait. */
function givesFocus(call: Node): boolean {
  if (!['focus', 'press'].includes(methodOf(call))) return false;
  const owner = (call.callee as Node).object as Node;
  return (nameOf(owner) || propertyOf(owner)) !== 'keyboard';
}

/** `delay(700)`, `page.waitForTimeout(700)` and `new Promise((resolve) => setTimeout(resolve, 700))`, with a number or a constant. */
function isFixedSleep(waited: Node): boolean {
  if (waited.type === 'CallExpression') {
    const name = nameOf(waited.callee as Node) || methodOf(waited);
    return ['delay', 'sleep', 'waitForTimeout'].includes(name) && isFixed((waited.arguments as readonly Node[])[0]);
  }
  if (waited.type !== 'NewExpression' || nameOf(waited.callee as Node) !== 'Promise') return false;
  const [run] = waited.arguments as readonly Node[];
  const body = run?.type === 'ArrowFunctionExpression' ? (run.body as Node) : undefined;
  const call = body?.type === 'CallExpression' ? body : undefined;
  return call !== undefined && nameOf(call.callee as Node) === 'setTimeout' && isFixed((call.arguments as Node[])[1]);
}

/** Shorter ones are the pace of a loop that looks again. */
const LEAST_SLEEP_MS = 100;

function isFixed(time: Node | undefined): boolean {
  if (time?.type === 'Literal') return Number(time.value) >= LEAST_SLEEP_MS;
  return time?.type === 'Identifier' && /^[A-Z][A-Z0-9_]*$/.test(String(time.name));
}

function nameOf(callee: Node): string {
  return callee.type === 'Identifier' ? String(callee.name) : '';
}

function methodOf(call: Node): string {
  return propertyOf(call.callee as Node);
}

function propertyOf(member: Node): string {
  return member.type === 'MemberExpression' ? String((member.property as Node).name ?? '') : '';
}
