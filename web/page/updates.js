/** The service worker: the page works offline, and says when a new version of it is there. */
import { $, say } from './dom.js';

export async function watchUpdates() {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  const hadWorker = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // This tab, or another one, has asked for the new version: its files belong together.
    if (hadWorker) location.reload();
  });
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
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
}
