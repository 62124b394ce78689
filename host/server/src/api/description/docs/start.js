// The document's address is relative to the page, since a proxy may put a prefix before both.
SwaggerUIBundle({ dom_id: "#ui", url: "openapi.json", deepLinking: true });
