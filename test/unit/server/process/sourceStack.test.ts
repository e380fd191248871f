import { describe, expect, it } from 'vitest';
import { sourceStack } from '../../../../server/process/sourceStack.ts';

describe('sourceStack', () => {
  it.each([
    [
      'of a script of which the build says nothing',
      'Error: x\n    at run (file:///opt/fleetglass/dist/gateway/server/main.js:12:3)',
    ],
    ['of Node itself', 'Error: x\n    at node:internal/main/run_main_module:28:49'],
    ['of nothing', ''],
  ])('leaves a place %s as it is', (_what, stack) => {
    expect(sourceStack(stack)).toBe(stack);
  });
});
