//! The requirements of a section, by category.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a line of text, or a part of it, stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The page, 1-based.
    pub page: u32,
    /// The box around the whole line.
    pub bbox: BoundingBox,
}

/// A requirement, and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// As it stands in the section's text.
    pub text: String,
    /// The article that it stands in; empty before the first one.
    pub article: String,
    /// The page that it begins on, 1-based.
    pub page: u32,
    /// The lines that it stands in, whole, in reading order.
    pub places: Vec<Place>,
}

/// A section's requirements, each category in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Requirements {
    /// What is to be submitted.
    pub submittals: Vec<Requirement>,
    /// Standards and other documents that are cited.
    pub references: Vec<Requirement>,
    /// Manufacturers that are named.
    pub manufacturers: Vec<Requirement>,
    /// Products and materials.
    pub products: Vec<Requirement>,
    /// Values that must be reached.
    pub performance_requirements: Vec<Requirement>,
    /// Qualifications, certifications, mock-ups, meetings.
    pub quality_assurance: Vec<Requirement>,
    /// Warranties.
    pub warranties: Vec<Requirement>,
    /// Tests and inspections.
    pub testing: Vec<Requirement>,
    /// Delivery, storage and handling.
    pub delivery_storage_handling: Vec<Requirement>,
    /// Conditions of the site and the weather.
    pub field_conditions: Vec<Requirement>,
    /// What ends the work.
    pub closeout: Vec<Requirement>,
    /// Other sections that are named.
    pub related_sections: Vec<Requirement>,
}

/// One of the arrays of [`Requirements`]; its name there is its name in a model's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// [`Requirements::submittals`]
    Submittals,
    /// [`Requirements::references`]
    References,
    /// [`Requirements::manufacturers`]
    Manufacturers,
    /// [`Requirements::products`]
    Products,
    /// [`Requirements::performance_requirements`]
    PerformanceRequirements,
    /// [`Requirements::quality_assurance`]
    QualityAssurance,
    /// [`Requirements::warranties`]
    Warranties,
    /// [`Requirements::testing`]
    Testing,
    /// [`Requirements::delivery_storage_handling`]
    DeliveryStorageHandling,
    /// [`Requirements::field_conditions`]
    FieldConditions,
    /// [`Requirements::closeout`]
    Closeout,
    /// [`Requirements::related_sections`]
    RelatedSections,
}

impl Category {
    /// Every category, in the order of the result.
    pub const ALL: [Self; 12] = [
        Self::Submittals,
        Self::References,
        Self::Manufacturers,
        Self::Products,
        Self::PerformanceRequirements,
        Self::QualityAssurance,
        Self::Warranties,
        Self::Testing,
        Self::DeliveryStorageHandling,
        Self::FieldConditions,
        Self::Closeout,
        Self::RelatedSections,
    ];

    /// Returns the name of its list in results and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Submittals => "submittals",
            Self::References => "references",
            Self::Manufacturers => "manufacturers",
            Self::Products => "products",
            Self::PerformanceRequirements => "performance_requirements",
            Self::QualityAssurance => "quality_assurance",
            Self::Warranties => "warranties",
            Self::Testing => "testing",
            Self::DeliveryStorageHandling => "delivery_storage_handling",
            Self::FieldConditions => "field_conditions",
            Self::Closeout => "closeout",
            Self::RelatedSections => "related_sections",
        }
    }
}

impl Requirements {
    /// Returns the list of a category.
    pub fn list_mut(&mut self, category: Category) -> &mut Vec<Requirement> {
        match category {
            Category::Submittals => &mut self.submittals,
            Category::References => &mut self.references,
            Category::Manufacturers => &mut self.manufacturers,
            Category::Products => &mut self.products,
            Category::PerformanceRequirements => &mut self.performance_requirements,
            Category::QualityAssurance => &mut self.quality_assurance,
            Category::Warranties => &mut self.warranties,
            Category::Testing => &mut self.testing,
            Category::DeliveryStorageHandling => &mut self.delivery_storage_handling,
            Category::FieldConditions => &mut self.field_conditions,
            Category::Closeout => &mut self.closeout,
            Category::RelatedSections => &mut self.related_sections,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_has_the_same_name_everywhere() {
        let mut requirements = Requirements::default();
        for category in Category::ALL {
            assert_eq!(serde_json::to_value(category).unwrap(), category.name());
            let only =
                Requirement { text: category.name().to_owned(), article: String::new(), page: 1, places: Vec::new() };
            requirements.list_mut(category).push(only);
        }
        let written = serde_json::to_value(&requirements).unwrap();
        for category in Category::ALL {
            assert_eq!(written[category.name()][0]["text"], category.name());
        }
    }
}
