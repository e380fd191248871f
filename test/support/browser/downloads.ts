import { onTestFinished } from 'vitest';

/**
 * The paths of the files that the page downloads from now on, in order; the list grows. A frame that starts a download goes as soon as something
 * has loaded into it, as everything does in component tests, so it may be gone before anybody looks for it.
 */
export function watchDownloads(): readonly string[] {
  const paths: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLIFrameElement) paths.push(new URL(node.src).pathname);
    }
  });
  observer.observe(document.body, { childList: true });
  onTestFinished(() => observer.disconnect());
  return paths;
}
