// Shows the OpenAPI document that stands beside the page, whatever prefix a proxy puts before both.
SwaggerUIBundle({ dom_id: "#ui", url: "openapi.json", deepLinking: true });
