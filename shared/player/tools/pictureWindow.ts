// One video in a small window of its own that stays above all others, even when its page is out of sight.
import type { TilePlayer } from '../tile/tilePlayer.ts';

/**
 * Chromium's: a media track that is written to picture by picture. A captured canvas would need no such track, but the canvas of a hidden
 * page is not presented any more, and the small window is for hidden pages.
 */
declare class MediaStreamTrackGenerator extends MediaStreamTrack {
  constructor(init: { readonly kind: 'video' });
  readonly writable: WritableStream<VideoFrame>;
}

export function hasPictureInPicture(scope: Window & typeof globalThis = window): boolean {
  return scope.document.pictureInPictureEnabled === true && 'MediaStreamTrackGenerator' in scope;
}

/** Owns the window, its video element and the track that feeds it. */
export class PictureWindow {
  readonly #player: TilePlayer;
  readonly #onChange: (isOn: boolean) => void;
  #video: HTMLVideoElement | undefined;
  #stream: MediaStream | undefined;

  constructor(player: TilePlayer, onChange: (isOn: boolean) => void) {
    this.#player = player;
    this.#onChange = onChange;
  }

  /** Call it in answer to a gesture. */
  async toggle(): Promise<void> {
    if (this.#video !== undefined) return this.#end();
    const video = document.createElement('video');
    video.muted = true;
    this.#video = video;
    this.#stream = new MediaStream();
    video.srcObject = this.#stream;
    this.#player.setMirror(() => this.#newTrack());
    video.addEventListener('leavepictureinpicture', () => this.#end());
    try {
      await video.play();
      await video.requestPictureInPicture();
      this.#onChange(true);
    } catch (error) {
      console.warn('picture in picture was refused', error);
      this.#end();
    }
  }

  /** Safe to call twice. */
  close(): void {
    this.#end();
  }

  /** Each stream of the tile has a track of its own: what feeds a track goes to a worker and does not come back. */
  #newTrack(): WritableStream<VideoFrame> {
    const track = new MediaStreamTrackGenerator({ kind: 'video' });
    for (const old of this.#stream?.getTracks() ?? []) {
      this.#stream?.removeTrack(old);
      old.stop();
    }
    this.#stream?.addTrack(track);
    return track.writable;
  }

  #end(): void {
    const video = this.#video;
    if (video === undefined) return;
    this.#video = undefined;
    this.#player.setMirror(undefined);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
    if (document.pictureInPictureElement === video) void document.exitPictureInPicture().catch(() => undefined);
    video.srcObject = null;
    this.#onChange(false);
  }
}
