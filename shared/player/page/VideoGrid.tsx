import '../videoGrid.css';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import type { TileLayout } from './layout.ts';
import { ToolsFailure } from './ToolsFailure.tsx';

export interface VideoGridProps {
  readonly layout: TileLayout;
  /** One VideoTile a channel. */
  readonly children: ReactNode;
}

export function VideoGrid({ layout, children }: VideoGridProps): ReactElement {
  const size = layout.kind === 'grid' ? { '--columns': layout.columns, '--rows': layout.rows } : {};
  return (
    <div className={`video-grid video-grid-${layout.kind}`} style={size as CSSProperties}>
      {children}
      <ToolsFailure />
    </div>
  );
}
