import { onTestFinished, vi } from 'vitest';

const BOX_PX = 400;
const ROW_PX = 40;

/** Nothing has a height without a layout, and a list that has only the rows in sight would have none. */
export function layOut(): void {
  const box = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(BOX_PX);
  const row = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX);
  onTestFinished(() => {
    box.mockRestore();
    row.mockRestore();
  });
}
