/** Pages don't learn when a download ends, so its frame stays; by the time that this many others were started, it has long begun. */
const MAX_FRAMES = 10;
/** The oldest first. */
const frames = new Set<HTMLIFrameElement>();

/**
 * The browser's own download: it streams to the disk, and nothing is held in the page. Through a frame and not a link with
 * `download`, of which browsers make a failed download when the answer is a refusal.
 */
export function downloadFrom(address: string, onRefused?: (answer: string) => void): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.src = address;
  // Only an answer that is shown loads, which is a refusal: a download loads nothing into the frame.
  frame.addEventListener('load', () => {
    const answer = frame.contentDocument?.body.textContent ?? '';
    close(frame);
    if (answer !== '') onRefused?.(answer);
  });
  document.body.append(frame);
  frames.add(frame);
  const [oldest] = frames;
  if (frames.size > MAX_FRAMES && oldest !== undefined) close(oldest);
}

function close(frame: HTMLIFrameElement): void {
  frames.delete(frame);
  frame.remove();
}
