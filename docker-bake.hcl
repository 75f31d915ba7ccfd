# Builds all images with Docker Buildx: docker buildx bake. Contexts, Dockerfiles and tags (IMAGE_REGISTRY, VERSION,
# SHELL_VERSION, …) are those of docker-compose.yml and .env, which bake reads too; this file adds what only published images
# need. Publish with attestations (they need a builder of the driver docker-container or kubernetes):
#   docker buildx bake --push --sbom=true --provenance=mode=max

# Address of the sources, for the images' labels.
variable "SOURCE" {
  default = ""
}

target "part" {
  name = part
  matrix = {
    part = [
      "backend",
      "backup",
      "edge",
      "logs",
      "shell",
      # remotes: written by `npm run check -- --fix`
      "mf-legal",
      "mf-offers",
      "mf-privacy",
      "mf-signup",
      # end of remotes
    ]
  }
  labels = {
    "org.opencontainers.image.created" = timestamp()
    "org.opencontainers.image.source"  = SOURCE
  }
}
