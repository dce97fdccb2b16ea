/** Next.js calls this once, when its server starts. */
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NODE_ENV === 'development') {
    const { createMock } = await import('livestream-mock');
    const { serve } = await import('livestream-mock/node');
    const port = Number(new URL(process.env.LIVESTREAM_URL).port);
    await serve(createMock({ world: 'demo', now: Date.now }), { port });
  }
}
