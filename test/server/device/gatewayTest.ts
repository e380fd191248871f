import { expect, it as withoutGateway } from 'vitest';
import { startTestGateway, type TestGateway } from './testGateway.ts';

/** A test with a gateway of its own. Such tests share nothing and mostly wait for terminals, so they run side by side. */
export const it = withoutGateway.extend<{ test: TestGateway }>({
  test: async ({ task: _ }, use) => {
    const test = await startTestGateway();
    await use(test);
    await test.close();
    expect(test.faults).toEqual([]);
  },
});
