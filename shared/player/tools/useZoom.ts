import { useEffect, useRef, useState } from 'react';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import { isZoomed, type Place, WHOLE_PICTURE } from './zoom.ts';
import { ZoomControl } from './zoomControl.ts';

export interface Zoom {
  readonly scale: number;
  readonly isZoomed: boolean;
  readonly by: (factor: number) => void;
  /** Whether there was anything to push. */
  readonly push: (by: Place) => boolean;
  readonly reset: () => void;
  readonly isDragging: () => boolean;
}

export function useZoom(tile: HTMLElement, player: TilePlayer): Zoom {
  const control = useRef<ZoomControl>(undefined);
  const [view, setView] = useState(WHOLE_PICTURE);
  useEffect(() => {
    const made = new ZoomControl(tile, player, setView);
    control.current = made;
    return () => {
      made.close();
      setView(WHOLE_PICTURE);
    };
  }, [tile, player]);
  return {
    scale: view.scale,
    isZoomed: isZoomed(view),
    by: (factor) => control.current?.zoom(factor),
    push: (by) => {
      const isPushed = isZoomed(control.current?.view ?? WHOLE_PICTURE);
      if (isPushed) control.current?.push(by);
      return isPushed;
    },
    reset: () => control.current?.reset(),
    isDragging: () => control.current?.isDragging === true,
  };
}
