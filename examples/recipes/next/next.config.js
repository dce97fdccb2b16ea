/** In a browser the interface is at the app's own origin. */
const rewrites = async () => [
  { source: '/api/:path*', destination: `${process.env.LIVESTREAM_URL}/:path*` },
];

// Left as it is installed, because bundling it gains nothing.
export default { rewrites, serverExternalPackages: ['livestream-mock'] };
