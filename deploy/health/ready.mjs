// The HEALTHCHECK of both servers: exits with 0 if /readyz reports ready. Prints the response, which the engine stores:
// docker inspect --format '{{json .State.Health}}' <container>
try {
  const response = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`);
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(error.cause?.message || error.message);
  process.exitCode = 1;
}
