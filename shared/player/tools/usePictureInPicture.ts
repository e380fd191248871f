import { useEffect, useState } from 'react';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import { hasPictureInPicture, PictureWindow } from './pictureWindow.ts';

export interface PictureInPicture {
  readonly isOn: boolean;
  readonly toggle: () => Promise<void>;
}

/** Undefined where the browser has no such window. */
export function usePictureInPicture(player: TilePlayer): PictureInPicture | undefined {
  const [isOn, setOn] = useState(false);
  const [picture, setPicture] = useState<PictureWindow>();
  useEffect(() => {
    if (!hasPictureInPicture()) return;
    const made = new PictureWindow(player, setOn);
    setPicture(made);
    return () => made.close();
  }, [player]);
  return picture && { isOn, toggle: () => picture.toggle() };
}
