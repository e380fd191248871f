import type { Mutant } from '../mutant.ts';

/** Faults that only a browser shows. */
export const PRODUCT_MUTANTS: readonly Mutant[] = [
  {
    name: 'A canvas that stays black',
    area: 'live view',
    file: 'workers/video/paint/canvasPainter.ts',
    text: 'else context.drawImage(frame, 0, 0, context.canvas.width, context.canvas.height);',
    replacement: 'else context.drawImage(frame, 0, 0, 0, context.canvas.height);',
    part: { layer: 'browser', path: 'test/browser/player/pictures' },
  },
  {
    name: 'A playback that stands at the picture before the one that was asked for',
    area: 'playback',
    file: 'workers/video/session/playbackClock.ts',
    text: 'return atMs <= timeline.originMs ? ',
    replacement: 'return atMs < timeline.originMs ? ',
    part: { layer: 'browser', path: 'test/browser/player/playback' },
  },
  {
    name: 'A live view without sound',
    area: 'live view',
    file: 'shared/player/engine/sound/pageSound.ts',
    text: 'stream.node.connect(this.#context.destination);',
    replacement: '',
    part: { layer: 'e2e', path: 'test/e2e/live/liveSound.' },
  },
  {
    name: 'Tiles that lie over each other on a phone',
    area: 'shell',
    file: 'pages/shell/HomeTiles.tsx',
    text: `  width: '100%',
  height: 124,`,
    replacement: `  width: 200,
  height: 124,`,
    part: { layer: 'e2e', path: 'test/e2e/shell/layout' },
  },
  {
    name: 'A dialog that does not give the focus back',
    area: 'system',
    file: 'pages/innerpage/sysbackup/parts/PartsDialog.tsx',
    text: '<Dialog open fullWidth fullScreen={isNarrow} maxWidth="md"',
    replacement: '<Dialog open disableRestoreFocus fullWidth fullScreen={isNarrow} maxWidth="md"',
    part: { layer: 'e2e', path: 'test/e2e/pages/sysbackup/sysBackupPage' },
  },
];
