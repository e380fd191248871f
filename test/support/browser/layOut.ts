import { onTestFinished, vi } from 'vitest';

const HIGH_PX = 400;

/** Nothing has a height without a layout, and a list that shows only the rows in sight would show none. */
export function layOut(): void {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(HIGH_PX);
  onTestFinished(() => height.mockRestore());
}
