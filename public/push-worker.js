// The service worker that shows notifications. It is a file of its own at the site's root, because a service worker reaches the
// addresses below its own alone; it takes no part in how pages are loaded.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.link));
});

/** Something is always shown: a browser that allows silent messages of a site takes its permission back. */
function show(data) {
  const { title, body, link, key } = readMessage(data);
  // A repeat has the same key and takes the place of the first.
  return self.registration.showNotification(title, { body, tag: key, icon: '/favicon.svg', data: { link } });
}

function readMessage(data) {
  const { title, body, link, key } = parse(data);
  const text = (value) => (typeof value === 'string' ? value : '');
  return { title: text(title) || 'Fleetglass', body: text(body), link: ownAddress(text(link)), key: text(key) };
}

function parse(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Another site's address is never opened, whoever wrote the message. */
function ownAddress(link) {
  const { origin } = self.location;
  const url = URL.canParse(link, origin) ? new URL(link, origin) : undefined;
  return link !== '' && url?.origin === origin ? url.href : `${origin}/`;
}

async function open(link) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url, frameType }) => url === link && frameType === 'top-level');
  return shown === undefined ? self.clients.openWindow(link) : shown.focus();
}
