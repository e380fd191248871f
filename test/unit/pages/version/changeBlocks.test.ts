import { describe, expect, test } from 'vitest';
import { changeBlocks } from '../../../../pages/innerpage/version/about/changeBlocks.ts';

describe('the change log as blocks', () => {
  test('has versions, groups, topics, paragraphs and lists', () => {
    const markdown = [
      '## 1.2.0 - 2026-11-28\n\n### Added\n\n**Live view**\n\n- One, which\n  goes on.\n- Two.\n',
      'A note\nof two lines.\n\n## 1.1.0\n### Fixed\n- Three.',
    ].join('\n');
    expect(changeBlocks(markdown)).toEqual([
      { kind: 'version', text: '1.2.0 - 2026-11-28' },
      { kind: 'group', text: 'Added' },
      { kind: 'topic', text: 'Live view' },
      { kind: 'list', items: ['One, which goes on.', 'Two.'] },
      { kind: 'paragraph', text: 'A note of two lines.' },
      { kind: 'version', text: '1.1.0' },
      { kind: 'group', text: 'Fixed' },
      { kind: 'list', items: ['Three.'] },
    ]);
  });

  test.each([
    ['Opens `PORT`, **always**.', 'Opens PORT, always.'],
    ['Over one line ([docs/live-view.md](docs/live-view.md#lines)).', 'Over one line (docs/live-view.md).'],
    ['`<script>` and 3 * 4 * 5 [stay', '<script> and 3 * 4 * 5 [stay'],
  ])('%s is plain text', (markdown, text) => {
    expect(changeBlocks(markdown)).toEqual([{ kind: 'paragraph', text }]);
  });

  test('has none where nothing is new', () => {
    expect(changeBlocks('')).toEqual([]);
    expect(changeBlocks('\n\n')).toEqual([]);
  });
});
