/** The service worker: the page works offline, and says when a new version of it is there. */
import { $, say } from './dom.js';

/** @param {Promise<unknown>} loaded  settles when the engine is loaded, or cannot be */
export async function watchUpdates(loaded) {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  const hadWorker = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // This tab, or another one, has asked for the new version: its files belong together.
    if (hadWorker) location.reload();
  });
  // In the first visit, the engine comes before the files that are kept.
  if (!hadWorker) await loaded;
  const registration = await navigator.serviceWorker.register('offline.js', { updateViaCache: 'none' }).catch(() => undefined);
  if (!registration) return;
  const offer = () => {
    if (!registration.waiting || !navigator.serviceWorker.controller) return;
    $('#update').hidden = false;
    // After it is shown, so that it is read aloud.
    setTimeout(() => say($('#update [role=status]'), 'A new version is ready.'));
    $('#reload').onclick = () => registration.waiting?.postMessage('activate');
  };
  offer();
  const follow = () => registration.installing?.addEventListener('statechange', offer);
  follow();
  registration.addEventListener('updatefound', follow);
  // The browser looks for a new version when a page is loaded, and some pages stay open for weeks.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') registration.update().catch(() => {});
  });
}
